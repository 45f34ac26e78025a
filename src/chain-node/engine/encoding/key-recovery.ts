import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { nativeSecp256k1, secp256k1 } from '../crypto.ts'

/** A signature and what it is of. */
export interface Signed {
  /** 32 bytes. */
  readonly hash: Uint8Array
  /** `r` and `s`, 32 bytes each. */
  readonly signature: Uint8Array
  /** 0 or 1. */
  readonly recovery: number
}

/** Finds public keys in another thread: finding one takes as long as all else that is done when a transaction comes in. */
export interface KeyRecovery {
  /** The public key behind a signature, 64 bytes; null where there is none. Those asked for first are told first. */
  recover(signed: Signed): Promise<Uint8Array | null>
  /** Resolves once all keys are found that were asked for before; null where none is. */
  settle(): Promise<void> | null
}

/** @param code - what the thread runs; null for none, where this thread does all */
export function createKeyRecovery(code = nativeSecp256k1 && writeThread()): KeyRecovery {
  const waiting: Question[] = []
  const running: Question[] = []
  const settling: { until: number; resolve: () => void }[] = []
  let asked = 0
  let answered = 0
  let worker: Worker | null = null
  let state: 'new' | 'starting' | 'ready' | 'ended' = code === null ? 'ended' : 'new'

  function start(): void {
    state = 'starting'
    worker = new Worker(code ?? '', { eval: true, execArgv: [], resourceLimits: LIMITS })
    worker.unref()
    worker.on('message', (answers: Uint8Array | 'ready') => {
      if (answers === 'ready') state = 'ready'
      else finish(running.splice(0, answers.length / ANSWER), answers)
    })
    worker.on('error', () => {})
    worker.on('exit', giveUp)
  }

  /** What the thread did not answer is found here, as all that comes from now on. */
  function giveUp(): void {
    state = 'ended'
    const left = [...running.splice(0), ...waiting.splice(0)]
    for (const question of left) question.done(recoverHere(question.signed))
    count(left.length)
  }

  /** What comes at the same time is asked at once. */
  function ask(): void {
    if (waiting.length === 0) return
    const bytes = new Uint8Array(QUESTION * waiting.length)
    for (const [i, { signed }] of waiting.entries()) {
      bytes[QUESTION * i] = signed.recovery
      bytes.set(signed.hash, QUESTION * i + 1)
      bytes.set(signed.signature, QUESTION * i + 33)
    }
    running.push(...waiting.splice(0))
    worker?.ref()
    worker?.postMessage(bytes)
  }

  function finish(questions: readonly Question[], answers: Uint8Array): void {
    for (const [i, { done }] of questions.entries()) {
      const answer = answers.subarray(ANSWER * i, ANSWER * (i + 1))
      done(answer[0] === 0 ? null : answer.subarray(1))
    }
    if (running.length === 0) worker?.unref()
    count(questions.length)
  }

  function count(more: number): void {
    answered += more
    while (settling[0] !== undefined && settling[0].until <= answered) settling.shift()?.resolve()
  }

  return {
    recover(signed) {
      if (state === 'new') start()
      if (state !== 'ready') return Promise.resolve(recoverHere(signed))
      asked++
      return new Promise(done => {
        waiting.push({ signed, done })
        if (waiting.length === 1) setImmediate(ask)
      })
    },
    settle() {
      if (answered === asked) return null
      return new Promise(resolve => settling.push({ until: asked, resolve }))
    },
  }
}

interface Question {
  readonly signed: Signed
  readonly done: (key: Uint8Array | null) => void
}

/** Bytes of a question (recovery, hash, signature) and of an answer (whether there is a key, and the key). */
const QUESTION = 97
const ANSWER = 65

const LIMITS = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 }

/** As text: the node is one file when it is bundled. */
function writeThread(): string {
  const bindings = createRequire(import.meta.url).resolve('secp256k1/bindings.js')
  return `
    const { parentPort } = require('node:worker_threads')
    const { ecdsaRecover } = require(${JSON.stringify(bindings)})
    parentPort.on('message', bytes => {
      const count = bytes.length / ${QUESTION}
      const answers = new Uint8Array(${ANSWER} * count)
      for (let i = 0; i < count; i++) {
        const recovery = bytes[${QUESTION} * i]
        const hash = bytes.slice(${QUESTION} * i + 1, ${QUESTION} * i + 33)
        const signature = bytes.slice(${QUESTION} * i + 33, ${QUESTION} * (i + 1))
        try {
          answers.set(ecdsaRecover(signature, recovery, hash, false), ${ANSWER} * i)
        } catch {}
      }
      parentPort.postMessage(answers)
    })
    parentPort.postMessage('ready')
  `
}

function recoverHere({ hash, signature, recovery }: Signed): Uint8Array | null {
  try {
    return secp256k1.recover(hash, signature, recovery)
  } catch {
    return null
  }
}

/** One for all of a process; its thread is started with the first signature, and ends with the process. */
export const keyRecovery: KeyRecovery = createKeyRecovery()
