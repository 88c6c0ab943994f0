/** The client that makes the demo: it has a session of its own, and ends when the demo is removed. */
import type { Call, DataOf } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import type { Scope } from '@gatehouse/server/platform/session/session'
import type { Server } from '@gatehouse/server/server'
import { userIdOf } from '../accounts.ts'
import { CallRefused, createClient, type CallInput, type Client } from '../client.ts'

/** The removal of the demo has begun. */
export class DemoRemoved extends Error {
  override readonly name = 'DemoRemoved'
}

export interface Maker {
  /** @throws CallRefused; DemoRemoved once the removal has begun; the signal's reason */
  call<C extends Call>(call: C, input: CallInput<C>, signal?: AbortSignal): Promise<DataOf<C>>
  /** @throws DemoRemoved once the removal has begun; the signal's reason */
  checkWanted(): Promise<void>
  /** Ends the session. */
  end(): Promise<void>
}

export interface MakerOptions {
  /** Aborts the making. */
  signal: AbortSignal
  /** Wraps the client of each session: a test counts the requests with it. */
  through?: (client: Client) => Pick<Client, 'call'>
}

const UNAUTHORISED = 401

export async function openMaker(server: Server, scope: Scope, { signal, through = (client) => client }: MakerOptions): Promise<Maker> {
  const { service } = server.contexts.demo
  const connect = async (): Promise<Pick<Client, 'call'>> => {
    const bearer = await service.openSession(scope, await userIdOf(server, 'admin'))
    return through(createClient(server.url, { bearer }, server.platform.transport.certificate?.current().certificate))
  }
  async function checkWanted(): Promise<void> {
    signal.throwIfAborted()
    if (!(await service.isWanted(scope))) throw new DemoRemoved()
  }

  await checkWanted()
  let client = connect()
  const maker: Maker = {
    checkWanted,
    async call(call, input, broken) {
      await checkWanted()
      const used = client
      try {
        return await (await used).call(call, input, broken)
      } catch (error) {
        await checkWanted()
        if (!(error instanceof CallRefused) || error.status !== UNAUTHORISED) throw error
        // A new password ends all sessions of the administrator, this one among them.
        if (client === used) client = connect()
        return (await client).call(call, input, broken)
      }
    },
    async end() {
      await (await client).call(identityCalls.revoke, {})
    },
  }
  await client
  return maker
}
