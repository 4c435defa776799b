"""What was played: a row a game in SQLite, and the page that shows it.

`entry` says what is kept, `schema` opens the file and keeps its versions apart, `store` asks
it, `filters` chooses, `figures` reckons, `keeping` writes games down as they are played,
`export` writes a table for other programs: none of these knows Qt. `table`, `filterbar`,
`cards`, `graphs` and `page` are what the panel shows.
"""
