"""What was played: a row a game in SQLite, and the page that shows it.

`entry` says what is kept, `schema` opens the file and keeps its versions apart, `store` asks
it, `filters` chooses, `figures` reckons, `keeping` writes games down as they are played,
`export` writes a table for other programs: none of these knows Qt.

`page` is what the panel shows, made of `controls`, `filterbar`, `cards`, `table` with `view`,
and `graphs`, laid out by `reflow`; `asking` is what it has done in other threads, `deeds` what
it does after asking the user.
"""
