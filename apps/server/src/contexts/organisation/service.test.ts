/** The tree of organisations as it is cached. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { createOrganisationService } from './service.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

test('a reading of the tree that began before a park was made does not remove the park when it ends', async () => {
  const { platform, contexts } = world.server
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isFirst = true
  const db = platform.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isFirst) {
        isFirst = false
        reached.resolve()
        await released.promise
      }
      return result
    },
  })
  const service = createOrganisationService({ ...platform, db }, contexts.organisation.settings)
  const earlier = service.reload()
  await reached.promise
  const { park } = await world.addPark()
  const later = service.reload()
  setTimeout(released.resolve, 200)
  await Promise.all([earlier, later])
  expect(service.get(park.id)?.name).toBe(park.name)
})
