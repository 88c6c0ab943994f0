/** A device that can be killed and started again on its data folder. */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DeviceHoldings } from '@gatehouse/contract/device/protocol-status'
import type { DeviceState } from '@gatehouse/terminal/device/device'
import { readJournal, type Journalled } from './device-journal.ts'
import { hasEnded, killProgram, startProgram } from './program.ts'
import type { ChildProcess } from 'node:child_process'

/** What the program receives at its start. */
export interface DeviceSetup {
  server: string
  code: string
  secret: string
  folder: string
  /** File of the picture that records carry. */
  picture: string
  /** Milliseconds between passages. */
  everyMs: number
  seed: string
}

export interface DeviceOrder {
  order: 'pause' | 'resume' | 'account' | 'stop'
}

/** What the program sends whenever its state changes. */
export interface DeviceNews {
  news: { link: string; held: DeviceHoldings | null; queue: DeviceState['queue']; made: number; pictures: number }
}

export interface DeviceAccount extends DeviceState {
  /** Digest of the persons on its disk, computed again. */
  counted: string
  persons: { id: string; name: string; enabled: boolean; strategyIds: string[]; failed: boolean }[]
  made: number
  pictures: number
}

export interface DeviceProcess {
  code: string
  folder: string
  /** Return the last state it sent; null before the first after a start. */
  news(): DeviceNews['news'] | null
  order(order: 'pause' | 'resume'): void
  account(): Promise<DeviceAccount>
  kill(): Promise<void>
  start(): Promise<void>
  /** Disconnect and end in order. */
  stop(): Promise<void>
  journal(): Journalled
}

/** @param log path of the file its messages are appended to */
export async function startDeviceProcess(setup: DeviceSetup, log: string): Promise<DeviceProcess> {
  mkdirSync(setup.folder, { recursive: true })
  let child: ChildProcess | null = null
  let news: DeviceNews['news'] | null = null
  let starts = 0
  let asking: PromiseWithResolvers<DeviceAccount> | null = null

  async function start(): Promise<void> {
    news = null
    const env = { DEVICE: JSON.stringify({ ...setup, seed: `${setup.seed} ${++starts}` }) }
    const program = await startProgram('device', { env, log, ipc: true })
    child = program.child
    child.on('message', (message) => {
      if ('news' in (message as object)) news = (message as DeviceNews).news
      else asking?.resolve((message as { account: DeviceAccount }).account)
    })
    child.once('exit', () => asking?.reject(new Error(`${setup.code} ended`)))
  }

  async function account(): Promise<DeviceAccount> {
    asking = Promise.withResolvers()
    child!.send({ order: 'account' })
    return asking.promise
  }

  await start()
  return {
    code: setup.code,
    folder: setup.folder,
    news: () => news,
    order: (order) => void child!.send({ order }),
    account,
    kill: () => killProgram(child!),
    start,
    async stop() {
      if (child === null || hasEnded(child)) return
      const ended = once(child, 'exit')
      child.send({ order: 'stop' })
      await ended
    },
    journal: () => readJournal(join(setup.folder, 'made')),
  }
}
