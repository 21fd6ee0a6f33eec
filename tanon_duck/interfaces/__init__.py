"""Ways to call the functions: Python connections, the stock shell, a prompt, files, policies."""
