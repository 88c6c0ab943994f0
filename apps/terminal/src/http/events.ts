/** `GET /events`: what happens at this terminal as server-sent events, for its screen. */
import type { FastifyInstance, FastifyReply } from 'fastify'

const HEARTBEAT = 15_000
const SCREENS = 16
/** By then, the server has noticed a screen whose connection ended silently. */
const RETRY_SECONDS = HEARTBEAT / 1000
/** Unread bytes after which a screen is disconnected. */
const BACKLOG = 1_048_576

export interface Broadcast {
  /** Send an event to every open screen. @param dataFor data for a screen, by whether it holds the key */
  send(name: string, dataFor: (holdsKey: boolean) => unknown): void
  close(): void
}

/**
 * Serve the events.
 * @param first events sent to a new screen
 */
export function serveEvents(
  server: FastifyInstance,
  { first }: { first: (holdsKey: boolean) => [name: string, data: unknown][] },
): Broadcast {
  /** Open screens, each with whether it has the key. */
  const screens = new Map<FastifyReply['raw'], boolean>()
  const heartbeat = setInterval(() => screens.forEach((_holdsKey, screen) => write(screen, ': \n\n')), HEARTBEAT)
  heartbeat.unref()

  function write(screen: FastifyReply['raw'], text: string): void {
    if (screen.writableLength > BACKLOG) screen.destroy()
    else screen.write(text)
  }

  server.get('/events', { config: { reach: 'screen' } }, async ({ holdsKey = false }, reply) => {
    if (screens.size >= SCREENS) return reply.code(429).header('retry-after', String(RETRY_SECONDS)).send({ reason: 'busy' })
    reply.hijack()
    const screen = reply.raw
    screen.on('error', () => screen.destroy())
    screen.once('close', () => screens.delete(screen))
    screen.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    screens.set(screen, holdsKey)
    for (const [name, data] of first(holdsKey)) write(screen, eventText(name, data))
  })

  return {
    send(name, dataFor) {
      const texts = new Map<boolean, string>()
      for (const [screen, holdsKey] of screens) {
        const text = texts.get(holdsKey) ?? eventText(name, dataFor(holdsKey))
        texts.set(holdsKey, text)
        write(screen, text)
      }
    },
    close() {
      clearInterval(heartbeat)
      for (const screen of screens.keys()) screen.end()
    },
  }
}

const eventText = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
