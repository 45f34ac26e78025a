import { LOG_LEVELS, type LogLevel } from './config/config.ts'

/** Facts of an event, in their order. Keys, passphrases and signed bytes never belong to them. */
export type Facts = { readonly [name: string]: string | number | bigint | boolean | null }

export type Log = { readonly [level in LogLevel]: (event: string, facts?: Facts) => void }

/** Writes one line an event: a JSON object, or words for people. Events below `level` are left out. */
export function createLog(
  { level, json }: { level: LogLevel; json: boolean },
  write: (line: string) => void = line => process.stderr.write(line),
  now: () => Date = () => new Date(),
): Log {
  const format = json ? formatJson : formatText
  const describe = (name: LogLevel) =>
    LOG_LEVELS.indexOf(name) > LOG_LEVELS.indexOf(level)
      ? () => {}
      : (event: string, facts: Facts = {}) => write(`${format(now(), name, event, facts)}\n`)
  return {
    error: describe('error'),
    warn: describe('warn'),
    info: describe('info'),
    debug: describe('debug'),
  }
}

function formatJson(time: Date, level: LogLevel, event: string, facts: Facts): string {
  return JSON.stringify({ time: time.toISOString(), level, event, ...facts }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

function formatText(time: Date, level: LogLevel, event: string, facts: Facts): string {
  const words = Object.entries(facts).map(([name, value]) => {
    const text = String(value)
    return `${name}=${/^[\w.:/+-]*$/.test(text) ? text : JSON.stringify(text)}`
  })
  return [time.toISOString().slice(11, 23), level.toUpperCase().padEnd(5), event, ...words].join(
    ' ',
  )
}
