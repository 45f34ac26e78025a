import { spawnSync } from 'node:child_process'

/**
 * Mozilla's linter, which is what `web-ext lint` runs and what addons.mozilla.org does. It brings 190 packages, so that it is none of
 * ours: npm fetches this version of it when a release is made, and it sees the finished package alone.
 */
const LINTER = 'addons-linter@10.14.0'

type Message = { code: string; file?: string; message: string }
export type LintReport = { errors: Message[]; warnings: Message[] }

/** Its warnings that stay, and why. */
export const EXPLAINED: readonly { code: string; file: RegExp; reason: string }[] = [
  {
    code: 'KEY_FIREFOX_ANDROID_UNSUPPORTED_BY_MIN_VERSION',
    file: /^manifest\.json$/,
    reason:
      'Firefox for Android has data_collection_permissions from 142 on; without gecko_android in the manifest the wallet is not offered there',
  },
  {
    code: 'DANGEROUS_EVAL',
    file: /^(lockdown|worker)\.js$/,
    reason: 'SES takes eval away from all other code; the policy of the package lets no text run',
  },
  {
    code: 'UNSAFE_VAR_ASSIGNMENT',
    file: /^assets\/first-[\w-]+\.js$/,
    reason: 'React’s dangerouslySetInnerHTML, which no screen uses and trusted types hold up',
  },
  {
    code: 'UNSAFE_VAR_ASSIGNMENT',
    file: /^worker\.js$/,
    reason: 'import() of a script of the package by its name: the words of notifications',
  },
]

/** What the linter says of a package. */
export function runLinter(zip: string): LintReport {
  const { stdout, stderr, status } = spawnSync(
    'npx',
    ['--yes', '--ignore-scripts', LINTER, '--output', 'json', zip],
    { encoding: 'utf8', maxBuffer: 2 ** 26 },
  )
  const start = stdout.indexOf('{')
  if (start < 0) throw new Error(`${LINTER} ended with ${status}: ${stderr}`)
  return JSON.parse(stdout.slice(start))
}

/** What is wrong, a sentence each: errors, warnings that nobody has explained, and explanations of none. */
export function listLintFaults({ errors, warnings }: LintReport): string[] {
  const describe = ({ code, file, message }: Message) => `${code} in ${file ?? '?'}: ${message}`
  const explains = ({ code, file }: Message) =>
    EXPLAINED.find(one => one.code === code && one.file.test(file ?? ''))
  const used = new Set(warnings.map(explains))
  return [
    ...errors.map(describe),
    ...warnings.filter(warning => explains(warning) === undefined).map(describe),
    ...EXPLAINED.filter(one => !used.has(one)).map(
      ({ code, file }) => `${code} in ${file.source} is explained, but there is none: take it out`,
    ),
  ]
}
