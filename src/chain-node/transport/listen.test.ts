import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { exchangeBytes, formatHttpRequest, startEchoServer } from '../testing/echo-server.ts'

describe('listen', () => {
  it('names where it is reached', async () => {
    const { server } = await startEchoServer()
    expect(server.port).toBeGreaterThan(0)
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    expect(server.wsUrl).toBe(`ws://127.0.0.1:${server.port}`)
    await server.close()
    const { server: any } = await startEchoServer({ host: '0.0.0.0' })
    expect(any.url).toBe(`http://127.0.0.1:${any.port}`)
    await any.close()
    const { server: named } = await startEchoServer({ host: 'localhost' })
    expect(named.url).toBe(`http://localhost:${named.port}`)
    expect((await fetch(named.url)).status).toBe(200)
    await named.close()
  })

  it('says why a port cannot be had', async () => {
    const { server } = await startEchoServer()
    await expect(startEchoServer({ port: server.port })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${server.port}: the port is in use`,
    )
    await expect(startEchoServer({ host: '203.0.113.1' })).rejects.toThrow(
      'cannot listen on 203.0.113.1:0: this machine does not have the address',
    )
    await expect(startEchoServer({ port: 70_000 })).rejects.toThrow(
      'cannot listen on 127.0.0.1:70000: a port is a number from 0 to 65535',
    )
    await server.close()
  })
})

describe('close', () => {
  it('ends idle connections, answers running requests and takes nothing new', async () => {
    const { server } = await startEchoServer()
    const idle = exchangeBytes(server.port, '')
    const kept = exchangeBytes(server.port, formatHttpRequest('{"id":1,"method":"test_text"}'))
    const running = exchangeBytes(
      server.port,
      formatHttpRequest('{"id":1,"method":"test_later","params":[200]}'),
    )
    const socket = new WebSocket(server.wsUrl)
    await new Promise(resolve => socket.on('open', resolve))
    expect(server.countConnections()).toBe(1)
    const code = new Promise(resolve => socket.on('close', resolve))
    await new Promise(resolve => setTimeout(resolve, 50))

    await server.close()
    expect(await idle).toEqual({ text: '', isClosed: true })
    expect(await kept).toMatchObject({ isClosed: true })
    expect(await running).toEqual({ text: expect.stringMatching(/"result":200}$/), isClosed: true })
    expect(await code).toBe(1001)
    expect(server.countConnections()).toBe(0)
    expect(await exchangeBytes(server.port, formatHttpRequest('{}'))).toEqual({
      text: '',
      isClosed: true,
    })
  })

  it('does not wait for a peer that was refused and keeps its end open', async () => {
    const { server } = await startEchoServer({ limits: { closeTimeout: 600_000 } })
    const peer = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    peer.on('error', () => {})
    peer.write('GET /no HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    peer.resume()
    await new Promise(resolve => peer.on('end', resolve))
    await server.close()
    peer.destroy()
  })

  it('does not wait for what hangs', async () => {
    const { server } = await startEchoServer({ limits: { closeTimeout: 100 } })
    const hung = exchangeBytes(
      server.port,
      formatHttpRequest('{"id":1,"method":"test_later","params":[3000]}'),
    )
    await new Promise(resolve => setTimeout(resolve, 50))
    await server.close()
    expect(await hung).toEqual({ text: '', isClosed: true })
  })
})
