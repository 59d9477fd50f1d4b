"""One file for each verb of the kernel. It holds all that the engine knows of it: `VERB`, and `steps`, what it does."""
