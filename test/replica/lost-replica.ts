/** A program that ends instead of serving. */
process.exit(3);
