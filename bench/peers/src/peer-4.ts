/** Peer 4: peer 3 with the traces of the engine in the answer. */
import { serveZen } from './zen-rules.ts';

await serveZen(true);
