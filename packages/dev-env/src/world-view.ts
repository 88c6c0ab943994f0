/** A world as it is seen from one of its parks. */
import { PERMISSION_CODES } from '@gatehouse/contract'
import { grantToken, insertUser } from './accounts.ts'
import { logIn } from './client.ts'
import { openPhotographs } from './photographs.ts'
import type { Site } from './site.ts'
import { addPark } from './world-parks.ts'
import type { WorldTerminals } from './world-terminals.ts'
import type { World, WorldPark, WorldParts, WorldTerminal } from './world-types.ts'

/**
 * Return the world seen from its first park.
 * @param stop ends the whole world
 */
export function createWorldView(parts: WorldParts, { terminalAt, settled }: WorldTerminals, site: Site, stop: () => Promise<void>): World {
  const { url, clock, dataDir, connectionString, terminals, nobody } = parts
  const addedPark = (options?: WorldPark): Promise<Site> => addPark(parts, site.park, options)

  /** Return the world as it is seen from a park. */
  function seenFrom(of: Site, end: (started: readonly WorldTerminal[]) => Promise<void>): World {
    const started: WorldTerminal[] = []
    return {
      ...of,
      url,
      get server() {
        return parts.server
      },
      clock,
      dataDir,
      connectionString,
      photographs: openPhotographs(),
      terminals,
      addPark: addedPark,
      inPark: async (park) => seenFrom(await addedPark(park), async (own) => void (await Promise.all(own.map((one) => one.stop())))),
      async terminal(device, settings = {}) {
        const made = await terminalAt(device ?? (await of.device()), settings)
        started.push(made)
        return made
      },
      settled,
      stop: () => end(started.filter((one) => terminals.includes(one))),
      async as(user) {
        return nobody.as({ bearer: (await logIn(nobody, { ...(of !== site && { areaCode: of.park.areaCode }), ...user })).access_token })
      },
      async session({
        permissions = PERMISSION_CODES,
        park = of.park,
        roleSign,
        organisationId = park.id,
        masking,
        deviceGroupIds,
        furtherRoles,
        confirmed = true,
      } = {}) {
        const userId = await insertUser(parts.server, { organisationId, permissions, roleSign, masking, deviceGroupIds, furtherRoles })
        return nobody.as({ bearer: (await grantToken(parts.server, userId, park.id, { confirmed })).bearer })
      },
      async interrupted(work, change) {
        parts.isRunning = false
        await parts.server.stop()
        parts.facePool = change?.facePool ?? parts.facePool
        try {
          return await work()
        } finally {
          parts.server = await parts.start()
          parts.isRunning = true
        }
      },
    }
  }

  return seenFrom(site, stop)
}
