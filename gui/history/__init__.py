"""The history of games: one row per game in SQLite, and the page that shows it.

Without Qt: `entry` defines a row, `schema` opens the file and handles its versions, `store` queries
it, `filters` selects games, `figures` computes statistics, `keeping` records games as they are
played, `export` writes CSV. With Qt: `page` is the panel's page, made of `controls`, `filterbar`,
`cards`, `table` with `view`, and `graphs`, laid out by `reflow`; `asking` holds its queries for
other threads, and `deeds` the actions that need the user's confirmation.
"""
