/** Programs that may or may not be installed. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** True when the shell would find `program`. */
export const isOnPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
