/** The log of a node keeps the promises of the port on an authority in memory. */
import { describeEventLog } from '../log/event-log-contract.ts';
import { newLogFolder } from '../log/lmdb/log-folder.ts';
import { FakeAuthority } from '../support/fake-authority.ts';
import { FakeDatabase } from '../support/fake-database.ts';
import { openOn, reopen } from './mirrored-log-stage.ts';

describeEventLog('mirror of an authority in memory', {
  open: () => openOn({ folder: newLogFolder(), authority: new FakeAuthority(new FakeDatabase()) }),
  reopen,
});
