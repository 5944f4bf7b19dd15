/** A worker thread that fails to start. */
throw new Error('as told');
