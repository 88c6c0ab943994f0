/** A network between terminals and the server of a world that can be cut: proxies at an address where nothing else listens. */
import type { World } from '@gatehouse/dev-env/world'
import { startProxy } from './proxy.ts'

export interface CutNetwork {
  /** Address by which a terminal reaches the server through it; the broker is reached at the same host. */
  url: string
  cut(): void
  restore(): void
  stop(): Promise<void>
}

/** @param host an address of this machine that no other test uses */
export async function startCutNetwork({ url, server }: Pick<World, 'url' | 'server'>, host: string): Promise<CutNetwork> {
  const target = new URL(url)
  const lines = await Promise.all(
    [Number(target.port), server.mqttPort].map((port) => startProxy({ host, port }, { host: target.hostname, port })),
  )
  return {
    url: `http://${host}:${target.port}`,
    cut: () => lines.forEach((line) => line.cut()),
    restore: () => lines.forEach((line) => line.restore()),
    async stop() {
      await Promise.all(lines.map((line) => line.stop()))
    },
  }
}
