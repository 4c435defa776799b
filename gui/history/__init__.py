"""The history of games: one row per game in SQLite, and the page that shows it.

Without Qt: `schema` opens the file and handles its versions, `store` defines a row and queries
them, `writer` records games as they are played, `statistics` computes. With Qt: `history_page` is
the panel's page, made of `controls`, `games_table` and `graphs`.
"""
