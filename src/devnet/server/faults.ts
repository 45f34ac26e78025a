import type { Answer } from './http.ts'

/** How an endpoint misbehaves. Everything but `endpoint` is optional. */
export interface Fault {
  /** A path, or a method and a path: `POST /api/tx`, `/api/address/*`; `*` stands for anything. */
  endpoint: string
  /** Applies to so many requests, then is gone. */
  times?: number
  /** Milliseconds before the request is handled. */
  delay?: number
  /** Milliseconds after it was handled and before it is answered. */
  delayAnswer?: number
  /** Answers with this status instead of handling the request. */
  status?: number
  /** The body of that answer: a string as it is, anything else as JSON. Without `status`: replaces the true body. */
  body?: unknown
  /** Patched into the true JSON answer (RFC 7396), into each element where that is a list. */
  merge?: Record<string, unknown>
  /** Sends only the first half of the body. */
  truncate?: boolean
  /** Answers as if so many of the newest blocks had not arrived yet. */
  staleBlocks?: number
  /** Closes the connection instead of answering. */
  drop?: boolean
  /** With `status` or `drop`: handles the request all the same, so that only the answer is lost. */
  handle?: boolean
}

export interface ActiveFault extends Fault {
  id: number
  /** Requests it was applied to. */
  hits: number
}

export interface Faults {
  add(fault: Fault): ActiveFault
  list(): ActiveFault[]
  /** Removes one fault, or all. */
  clear(id?: number): void
  /** The fault to apply to a request, counted; the newest that matches. */
  take(method: string, path: string): Fault | null
}

export function createFaults(): Faults {
  let active: ActiveFault[] = []
  let nextId = 1
  return {
    add(fault) {
      const added = { ...fault, id: nextId++, hits: 0 }
      active.unshift(added)
      return added
    },
    list: () => active,
    clear(id) {
      active = id === undefined ? [] : active.filter(fault => fault.id !== id)
    },
    take(method, path) {
      const fault = active.find(candidate => matchesEndpoint(candidate.endpoint, method, path))
      if (!fault) return null
      fault.hits++
      if (fault.times !== undefined && fault.hits >= fault.times) {
        active = active.filter(other => other !== fault)
      }
      return fault
    },
  }
}

export function matchesEndpoint(endpoint: string, method: string, path: string): boolean {
  const [, wantedMethod, wantedPath = ''] = /^(?:([A-Z]+) +)?(.*)$/.exec(endpoint) ?? []
  if (wantedMethod && wantedMethod !== method) return false
  const pattern = wantedPath.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('.*')}$`).test(path)
}

/** Changes a true answer as the fault says. */
export function distortAnswer(answer: Answer, fault: Fault): Answer {
  let { status, type, body } = answer
  if (fault.status !== undefined) {
    status = fault.status
    body = ''
    type = 'text/plain'
  }
  if (fault.body !== undefined) {
    type = typeof fault.body === 'string' ? 'text/plain' : 'application/json'
    body = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body)
  } else if (fault.merge && type === 'application/json') {
    body = JSON.stringify(mergePatch(JSON.parse(body.toString()), fault.merge))
  }
  if (fault.truncate) body = body.slice(0, Math.floor(body.length / 2))
  return { ...answer, status, type, body }
}

function mergePatch(value: unknown, patch: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map(element => mergePatch(element, patch))
  const merged: Record<string, unknown> = isObject(value) ? { ...value } : {}
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete merged[key]
    else merged[key] = isObject(change) ? mergePatch(merged[key], change) : change
  }
  return merged
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
