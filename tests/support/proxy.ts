/** A line between two programs that can be cut, hang and be slow: what a network does, without one. */
import { createServer, connect, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

export interface Proxy {
  /** Breaks all connections and takes no new ones until it is restored. */
  cut(): void
  /** Keeps all connections open and lets nothing through, in either direction, until it is restored. */
  hang(): void
  /** Connections that stand are silent for ever, and neither end hears of it; new ones work. */
  abandon(): void
  /** Lets everything through this much later, in milliseconds. */
  slow(milliseconds: number): void
  /** As at the start; what hung goes through. */
  restore(): void
  stop(): Promise<void>
}

/** One connection through the proxy. */
interface Line {
  near: Socket
  far: Socket
  abandoned: boolean
}

/** Listens on an address and passes on to another. */
export async function startProxy(at: { host: string; port: number }, target: { host: string; port: number }): Promise<Proxy> {
  const lines = new Set<Line>()
  let isCut = false
  let latency = 0
  let opened: PromiseWithResolvers<void> | null = null

  function breakAll(): void {
    for (const { near, far } of lines) {
      near.destroy()
      far.destroy()
    }
    lines.clear()
  }

  /** Passes on piece by piece: the next is taken when the last has gone out. */
  function pump(line: Line, from: Socket, to: Socket): void {
    let last = Promise.resolve()
    const afterwards = (work: () => Promise<void> | void) => {
      last = last.then(async () => {
        if (latency > 0) await delay(latency)
        while (opened !== null) await opened.promise
        if (!line.abandoned && !to.destroyed) await work()
      })
      last.catch(() => to.destroy())
    }
    from.on('data', (piece) => {
      from.pause()
      afterwards(async () => {
        if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')])
        from.resume()
      })
    })
    from.on('end', () => afterwards(() => void to.end()))
    from.on('error', () => {})
    from.on('close', () => afterwards(() => void to.destroy()))
  }

  const server: Server = createServer({ allowHalfOpen: true }, (near) => {
    near.on('error', () => {})
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect({ ...target, allowHalfOpen: true })
    const line: Line = { near, far, abandoned: false }
    lines.add(line)
    pump(line, near, far)
    pump(line, far, near)
    let closed = 0
    for (const end of [near, far]) end.once('close', () => (++closed === 2 ? lines.delete(line) : undefined))
  })
  server.listen(at.port, at.host)
  await once(server, 'listening')

  const release = () => {
    opened?.resolve()
    opened = null
  }
  return {
    cut() {
      isCut = true
      release()
      breakAll()
    },
    hang() {
      opened ??= Promise.withResolvers<void>()
    },
    abandon() {
      for (const line of lines) line.abandoned = true
    },
    slow(milliseconds) {
      latency = milliseconds
    },
    restore() {
      isCut = false
      latency = 0
      release()
    },
    async stop() {
      isCut = true
      release()
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A free port of 127.0.0.1 that the system does not give away to connections: whoever restarts finds it free again. */
export async function steadyPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const server = createServer()
    server.listen(port, '127.0.0.1')
    const free = await Promise.race([once(server, 'listening').then(() => true), once(server, 'error').then(() => false)])
    if (!free) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
