/** A worker that fails to start. */
throw new Error('as told');
