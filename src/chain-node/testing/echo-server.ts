import { connect } from 'node:net'
import { createRpc } from '../rpc/rpc.ts'
import { type Listener, type ListenOptions, listen } from '../transport/listen.ts'
import { ECHO_TABLE } from './echo-table.ts'

/** Serves the echo methods on a free port; faults of the transport are gathered in `faults`. */
export async function startEchoServer(
  options: Partial<ListenOptions> = {},
): Promise<{ server: Listener; faults: unknown[] }> {
  const faults: unknown[] = []
  const rpc = createRpc({
    table: ECHO_TABLE,
    describeError: () => null,
    onFault: () => {},
  })
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    rpc,
    onFault: error => faults.push(error),
    ...options,
  })
  return { server, faults }
}

/** Sends bytes to a port of this machine and gives all that comes back, until the server or `milliseconds` end it. */
export function exchangeBytes(
  port: number,
  bytes: string | Uint8Array,
  milliseconds = 5000,
): Promise<{ text: string; isClosed: boolean }> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const end = (isClosed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, isClosed })
    }
    const timer = setTimeout(() => end(false), milliseconds)
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
    })
    socket.on('close', () => end(true))
    socket.on('error', () => {})
    socket.write(bytes)
  })
}

/** A request of HTTP/1.1 with a JSON body, on a connection that stays. */
export function formatHttpRequest(body: string): string {
  return (
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}
