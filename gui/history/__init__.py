"""The history of games: one row per game in SQLite, without Qt.

`schema` opens the file and handles its versions, `store` defines a row and queries them, `writer`
records games as they are played, `statistics` computes.
"""
