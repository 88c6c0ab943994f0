/** A connection between two programs that can be cut, hang and be slow, as a network can. */
import { createServer, connect, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

export interface Proxy {
  /** Break all connections and accept no new ones until `restore`. */
  cut(): void
  /** Keep all connections open and pass nothing through, in either direction, until `restore`. */
  hang(): void
  /** Make the present connections silent for ever, without notice to either end; new ones work. */
  abandon(): void
  /** Delay everything that passes through by this many milliseconds. */
  slow(milliseconds: number): void
  /** Return to the initial state; what is pending passes through. */
  restore(): void
  stop(): Promise<void>
}

/** One connection through the proxy. */
interface Line {
  near: Socket
  far: Socket
  abandoned: boolean
}

/** Listen on an address and forward to another. */
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

  /** Forward chunk by chunk: the next is read when the last has been written. */
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

/** Return a free port of 127.0.0.1 that the system does not assign to outgoing connections: it is still free after a restart. */
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
