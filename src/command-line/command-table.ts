/** Every command by its words. A command loads its modules when it runs, so that each starts quickly. */
import type { Command } from './command.ts';

export interface CommandRow {
  /** One line for lists and for the head of the help. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  serve: {
    summary: 'Serve the API',
    load: async () => (await import('./serve-command.ts')).serveCommand,
  },
  'shop create': {
    summary: 'Make a shop',
    load: async () => (await import('./shop-commands.ts')).shopCreate,
  },
  'shop list': {
    summary: 'List the shops',
    load: async () => (await import('./shop-commands.ts')).shopList,
  },
  'shop set-plan': {
    summary: 'Put a shop on a plan',
    load: async () => (await import('./shop-commands.ts')).shopSetPlan,
  },
  'shop delete': {
    summary: 'Delete a shop with its history and its keys, for good',
    load: async () => (await import('./shop-commands.ts')).shopDelete,
  },
  'shop set-shopify-secret': {
    summary: 'Set the secret that Shopify signs its callbacks with',
    load: async () => (await import('./shopify-command.ts')).shopSetShopifySecret,
  },
  'key create': {
    summary: 'Make an API key and print its secret, this once',
    load: async () => (await import('./key-commands.ts')).keyCreate,
  },
  'key list': {
    summary: 'List the API keys of a shop',
    load: async () => (await import('./key-commands.ts')).keyList,
  },
  'key revoke': {
    summary: 'Revoke an API key, at once also on a running server',
    load: async () => (await import('./key-commands.ts')).keyRevoke,
  },
  export: {
    summary: 'Print the configuration of a shop as JSON',
    load: async () => (await import('./export-command.ts')).exportConfig,
  },
  import: {
    summary: 'Replace the configuration of a shop by that of a file, also one of another system',
    load: async () => (await import('./import-command.ts')).importConfig,
  },
  lint: {
    summary: 'Show what is wrong or doubtful in the configuration of a shop',
    load: async () => (await import('./lint-command.ts')).lintCommand,
  },
  'check run': {
    summary: 'Run the checks of a shop: carts with an expected answer',
    load: async () => (await import('./check-commands.ts')).checkRun,
  },
  'check list': {
    summary: 'List the checks of a shop',
    load: async () => (await import('./check-commands.ts')).checkList,
  },
  'check add': {
    summary: 'Make a check that expects what a cart is answered now',
    load: async () => (await import('./check-commands.ts')).checkAdd,
  },
  gate: {
    summary: 'Show whether the gate lets the changeset be promoted',
    load: async () => (await import('./gate-command.ts')).gateCommand,
  },
  bisect: {
    summary: 'Show the versions at which the rates of a cart changed, and by whom',
    load: async () => (await import('./bisect-command.ts')).bisectCommand,
  },
  sweep: {
    summary: 'Show how the rates of a cart change with its total, its weight or a quantity',
    load: async () => (await import('./sweep-command.ts')).sweepCommand,
  },
  coverage: {
    summary: 'Show what live simulations did not use: methods, rules, tiers, zones, groups',
    load: async () => (await import('./coverage-command.ts')).coverageCommand,
  },
  simulate: {
    summary: 'Show the rates of a cart and why they are what they are',
    load: async () => (await import('./simulate-command.ts')).simulateCommand,
  },
  status: {
    summary: 'Show the nodes of a cluster and how current each is, or whether a server runs',
    load: async () => (await import('./status-command.ts')).statusCommand,
  },
  verify: {
    summary: 'Check every record of the log',
    load: async () => (await import('./log-commands.ts')).verifyCommand,
  },
  move: {
    summary: 'Move the log of the data folder into a database that nodes share, or back',
    load: async () => (await import('./move-command.ts')).moveCommand,
  },
  backup: {
    summary: 'Copy the log to a file, also while the server runs',
    load: async () => (await import('./log-commands.ts')).backupCommand,
  },
};
