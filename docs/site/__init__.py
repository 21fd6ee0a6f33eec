"""A site of Markdown pages and of the headers of the SQL files."""
