/** Brings the holdings to what the server says the device should hold: settings first, then changes, compared where they do not come out. */
import { call } from '@gatehouse/contract'
import { changesPage, deviceProtocolCalls, type ChangedMessage } from '@gatehouse/contract/device/protocol'
import { z } from 'zod'
import { createComparison } from './comparison.ts'
import { createDeliveries, type DeliveriesOptions } from './deliveries.ts'
import { createErasurePull } from './erasure-pull.ts'
import { createPersonsById } from './persons-by-id.ts'
import { BULK_TIMEOUT, failsOnThis, isMissing } from './server.ts'
import type { Erasures, PersonFailure } from './store.ts'

export type { Embed } from './deliveries.ts'

export interface Synchroniser {
  /** Whether the device does not hold what it is told it should. */
  differs(told: ChangedMessage): boolean
  /** Whether somebody is an exception who may be taken the next time, with nothing changed at the server. */
  mayPass(): boolean
  /**
   * Pulls what is missing. What arrived stays when it is broken off; the next pull goes on there. At most one comparison
   * is made: should the digest not come out after it, the next pull makes another.
   * @param told what the device should come to; null where that is not known: then the server is asked, and exceptions
   *   that are nobody's fault are tried again
   * @throws ServerAway, ServerRefused when the server cannot be asked
   */
  pull(told: ChangedMessage | null, signal: AbortSignal): Promise<void>
}

/** Reasons that lie neither in the person nor in the photograph. */
const RETRIED: readonly string[] = ['notDelivered', 'noRoom'] satisfies PersonFailure[]
/** Manifests fetched in one pull at most: each further one because the audience changed meanwhile. */
const MANIFESTS = 3

/** Changes read person by person: one that cannot be read must not hold up the rest of its page. */
const changesUnread = call({ ...deviceProtocolCalls.changes, data: changesPage.extend({ persons: z.array(z.unknown()) }) })

export function createSynchroniser({ erasures, ...options }: DeliveriesOptions & { erasures: Erasures }): Synchroniser {
  const { client, held, modelId, log, sealedCredentials } = options
  const { holdings } = held
  const deliveries = createDeliveries(options)
  const personsById = createPersonsById({ client, deliveries, modelId, sealedCredentials })
  const comparison = createComparison({ client, held, deliveries, personsById, modelId, sealedCredentials })
  const erasurePull = createErasurePull({ client, held, erasures })

  /** Puts the newest settings into force. @returns the audience they name */
  async function takeManifest(signal: AbortSignal): Promise<string> {
    const manifest = await client.request(deviceProtocolCalls.manifest, {}, { signal })
    if (manifest.revision !== holdings.revision()) holdings.apply(manifest)
    return manifest.audience
  }

  /** Persons of the audience, from wherever the device stands. */
  async function takePersons(audience: string, compare: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    if (holdings.position()?.audience !== audience && !(await compare())) return
    for (;;) {
      const { cursor } = holdings.position()!
      const page = await changesAfter(cursor)
      // A head that lies behind, or pages that lead nowhere: the server's numbers are not those the cursor came from.
      const usable = page && !page.compare && page.head >= cursor && !(page.more && page.head === cursor)
      if (usable) {
        await deliveries.take(page.persons, { gone: page.gone, position: { audience, cursor: page.head } }, signal)
        if (page.more) continue
        if (page.digest === held.digest()) return
        log('The persons held do not come to the digest of the server.')
      }
      if (!(await compare())) return
    }

    /** Null where the server fails on what it would have to send. */
    async function changesAfter(after: number) {
      try {
        return await client.request(
          changesUnread,
          { params: { audience }, query: { after, modelId, ...sealedCredentials.asked() } },
          { signal, timeout: BULK_TIMEOUT },
        )
      } catch (error) {
        if (isMissing(error) || !failsOnThis(error)) throw error
        return null
      }
    }
  }

  const retried = () => [...holdings.exceptions().values()].filter(({ reason }) => RETRIED.includes(reason))

  /** Who did not arrive, or found no room, may do so by now. */
  async function retryExceptions(audience: string, signal: AbortSignal): Promise<void> {
    await personsById.take(audience, new Map(retried().map(({ personId, version }) => [personId, version])), signal)
  }

  /** Settings and persons. */
  async function pullHeld(told: ChangedMessage | null, signal: AbortSignal): Promise<void> {
    const known = told !== null && told.revision === holdings.revision() && told.audience === holdings.position()?.audience
    let compared = false
    let audience = known ? told.audience : await takeManifest(signal)
    for (let manifests = 1; ; manifests++) {
      try {
        await takePersons(audience, compareOnce, signal)
        if (told === null) await retryExceptions(audience, signal)
        return
      } catch (error) {
        if (!isMissing(error) || manifests >= MANIFESTS) throw error
        compared = false
        audience = await takeManifest(signal)
      }
    }

    async function compareOnce(): Promise<boolean> {
      if (compared) return false
      compared = true
      await comparison.run(audience, signal)
      return true
    }
  }

  function holdsOthers({ revision, audience, head, digest }: ChangedMessage): boolean {
    const position = holdings.position()
    if (position?.audience !== audience || holdings.revision() !== revision) return true
    return head > position.cursor || digest !== held.digest()
  }

  return {
    mayPass: () => retried().length > 0,
    differs: (told) => erasurePull.differs(told.erasure) || holdsOthers(told),

    async pull(told, signal) {
      // Whoever was erased goes first, and nothing that fails here or there keeps the other back.
      const failed = await erasurePull.pull(told, signal).then(
        () => null,
        (error: unknown) => ({ error }),
      )
      if (told === null || holdsOthers(told)) await pullHeld(told, signal)
      if (failed) throw failed.error
    },
  }
}
