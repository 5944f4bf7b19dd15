/** Peer 3: Fastify with GoRules Zen for rates and rules; it answers with the rates alone. */
import { serveZen } from './zen-rules.ts';

await serveZen(false);
