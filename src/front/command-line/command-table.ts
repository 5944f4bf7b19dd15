/** All commands by name. A command loads its modules when it runs, so that each starts quickly. */
import type { Command, CommandRow } from './command.ts';

/** The command is `command` of the module that `load` imports, or has this name where a module holds several. */
const row = <N extends string = 'command'>(
  summary: string,
  load: () => Promise<Readonly<Record<NoInfer<N>, Command>>>,
  name = 'command' as N,
): CommandRow => ({ summary, load: async () => (await load())[name] });

const shop = () => import('./shop-commands.ts');
const key = () => import('./key-commands.ts');
const check = () => import('./check-commands.ts');
const verify = () => import('./verify-command.ts');
const backup = () => import('./backup-command.ts');
const serve = () => import('./serve-command.ts');
const shopify = () => import('./shopify-command.ts');
const exporting = () => import('./export-command.ts');
const importing = () => import('./import-command.ts');
const lint = () => import('./lint-command.ts');
const gate = () => import('./gate-command.ts');
const bisect = () => import('./bisect-command.ts');
const sweep = () => import('./sweep-command.ts');
const coverage = () => import('./coverage-command.ts');
const audit = () => import('./audit-command.ts');
const simulate = () => import('./simulate-command.ts');
const status = () => import('./status-command.ts');
const move = () => import('./move-command.ts');

/** By name: one word or two. */
export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  serve: row('Serve the API', serve),
  'shop create': row('Make a shop', shop, 'shopCreate'),
  'shop list': row('List the shops', shop, 'shopList'),
  'shop set-plan': row('Put a shop on a plan', shop, 'shopSetPlan'),
  'shop delete': row('Delete a shop with its history and keys permanently', shop, 'shopDelete'),
  'shop set-shopify-secret': row('Set the secret that Shopify signs its callbacks with', shopify),
  'key create': row('Make an API key and print its secret, only this once', key, 'keyCreate'),
  'key list': row('List the API keys of a shop', key, 'keyList'),
  'key revoke': row('Revoke an API key, at once also on a running server', key, 'keyRevoke'),
  export: row('Print the configuration of a shop as JSON', exporting),
  import: row('Replace the configuration of a shop by that of a file, also one of another system', importing),
  lint: row('Show what is wrong or doubtful in the configuration of a shop', lint),
  'check run': row('Run the checks of a shop: carts with an expected answer', check, 'checkRun'),
  'check list': row('List the checks of a shop', check, 'checkList'),
  'check add': row('Make a check that expects what a cart is answered now', check, 'checkAdd'),
  gate: row('Show whether the gate lets the changeset be promoted', gate),
  bisect: row('Show the versions at which the rates of a cart changed, and by whom', bisect),
  sweep: row('Show how the rates of a cart change with its total, its weight or a quantity', sweep),
  coverage: row('Show what live simulations did not use: methods, rules, tiers, zones, groups', coverage),
  audit: row('Show who changed keys, settings, plan, secrets and changesets of a shop', audit),
  simulate: row('Show the rates of a cart and why they are what they are', simulate),
  status: row('Show the nodes of a cluster and how current each is, or whether a server runs', status),
  verify: row('Check every record of the log', verify),
  move: row('Move the log of the data folder into a database that nodes share, or back', move),
  backup: row('Copy the log to a file, also while the server runs', backup),
};
