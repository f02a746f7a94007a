/** All commands, in the order in which `bindery --help` shows them; it loads none of them. */
export const summaries = {
  up: 'Starts everything on this machine: MongoDB and Redis where none is named, the API, the app that shows sites, the console, and the workers. `npm start` is this command.',
  doctor:
    'Shows which programs `bindery up` would use on this machine and which are missing; starts and installs nothing.',
  'token create': 'Makes an API token and prints it once.',
  'token list': 'Lists the API tokens, without the tokens themselves.',
  'token revoke': 'Makes an API token stop working at once.',
  login: 'Asks for a token of an installation elsewhere, and keeps it for the other commands.',
  logout: 'Forgets the token that `bindery login` keeps: of a URL, or of the last login.',
  'sign-in-link': 'Makes a link with which a user signs in to the console, once, within some minutes.',
  'sso forget':
    'Forgets who a user is at the OpenID Connect provider; the next sign-in with the address decides.',
  'sso off': 'Ends required single sign-on of an organization whose provider no longer works.',
  pdf: 'Prints a space, or a change request of it (id or number), to a PDF file.',
  links: 'Lists the links of a space whose targets do not exist.',
  push: 'Sends a folder of Markdown to a space, as a change request with the differences.',
  watch: 'Sends a folder of Markdown to a change request, and again whenever it changes.',
  preview: 'Sends a folder as `watch` does, and shows the URL of a site with its content.',
  plan: 'Shows what `apply` would change to make an organization as FILE declares it (default: docs.yaml).',
  apply: 'Makes collections, spaces and sites as FILE declares them (default: docs.yaml).',
  mcp: 'Serves the content to an agent over MCP (Model Context Protocol), on the standard input and output.',
  'openapi publish': 'Makes a version of an API specification of an organization.',
  'openapi diff': 'Compares two API specifications: files, URLs, or `slug[@version]` of an organization.',
  'openapi lint': 'Lists the faults of an API specification, and remarks on its style.',
  'translation run': 'Translates the present content of the source of a translation.',
  'translation status': 'Shows the languages, the state and the statistics of a translation.',
  'translation export': 'Writes the texts of a translation to a file for other tools.',
  'translation import': 'Stores the texts of a file as texts of a person; the next run has them.',
  'jobs list': 'Lists jobs of all organizations, newest first.',
  'jobs show': 'Shows a job: its state, attempts, error, why it waits, and the end of its log.',
  'jobs watch': 'Follows a job until it ends.',
  'jobs retry': 'Runs an ended job again, under its own id.',
  'jobs replay': 'Prepares a replay of ended jobs and shows them; `--start ID` runs a prepared one.',
  'jobs limits':
    'Shows, sets and clears how many jobs of a kind run at once, for all workers within seconds. `set` and `clear` need --per or --organization.',
  'jobs doctor':
    'Finds problems with the jobs of a running installation, with solutions: Redis, clocks, sweeper, workers, lost jobs, disk. Changes nothing.',
  backup: 'Writes all records and all content of the running installation to a new folder.',
  'backup verify':
    'Reads a backup wholly and says whether it is complete and undamaged; needs no installation.',
  restore:
    'Restores a backup into an empty database: the one named by MONGODB_URI, else that of `npm start`.',
  upgrade:
    'Upgrades the database to this version of Bindery: creates the collections and indexes that it lacks and runs its migrations. May run at any time, be killed, and be repeated.',
  'storage migrate':
    'Copies all files to the other store while the platform runs, and compares each with its hash. Goes on where it was stopped.',
  secrets:
    'Counts the stored secrets by the key that seals them. Exits with 1 if a secret has another key than BINDERY_SECRET_KEY.',
  'secrets reseal':
    'Seals all stored secrets with BINDERY_SECRET_KEY, so that BINDERY_SECRET_KEY_PREVIOUS can be removed. Runs beside the platform, once all its processes have the new key; may be stopped and repeated.',
  capacity:
    'Works out how many processes, how much memory and storage an installation needs, from measured figures and a simulation of its queues. Needs no installation.',
  fonts:
    'Downloads the fonts of PDFs into a folder, for an image of your own; `bindery up` does so automatically.',
} as const;

/** A command with its verb, such as `token create`. */
export type CommandName = keyof typeof summaries;

/** The word that names a command, or several of one module. */
export type CommandWord<Name extends string = CommandName> = Name extends `${infer Word} ${string}`
  ? Word
  : Name;
