import { WebSocket } from 'ws'

/**
 * A process of WebSocket clients that subscribe to blocks with their transactions and then read nothing. Started with an
 * address and their number. Told a number it lets as many read on, and says with which codes those were closed.
 */
const [url = '', count = ''] = process.argv.slice(2)
const sockets = await Promise.all(Array.from({ length: Number(count) }, () => subscribe(url)))
process.send?.('ready')

process.on('message', (resumed: number) => {
  const codes: number[] = []
  for (const socket of sockets.slice(0, resumed)) {
    socket.once('close', code => {
      if (codes.push(code) === resumed) process.send?.(codes)
    })
    socket.resume()
  }
})
process.on('disconnect', () => process.exit())

function subscribe(address: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { perMessageDeflate: false })
    const params = ['newHeads', { includeTransactions: true }]
    socket.on('open', () =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params })),
    )
    socket.once('message', () => {
      socket.pause()
      resolve(socket)
    })
    // The server may end it while it does not read.
    socket.on('error', reject)
  })
}
