/** A replica that serves, and throws where nobody catches it a moment later. */
import '../../src/replica/replica-worker.ts';

setTimeout(() => {
  throw new Error('broken on purpose');
}, 300);
