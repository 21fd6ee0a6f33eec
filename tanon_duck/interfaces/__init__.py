"""The ways in: connections, the stock shell, a prompt, files, and the SQL of a call to read."""
