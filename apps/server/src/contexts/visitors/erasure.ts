/** What goes when a person is erased, who may have been a host, and when a park is. */
import type { Context, Platform } from '../../platform/context.ts'
import { deleteDocumentsOfPark } from './documents-data.ts'
import { deleteLinksOfPark } from './links-data.ts'
import { deleteMachineEventsOfPark } from './machine-data.ts'
import { deletePassesOfPark } from './passes-data.ts'
import { countHosted, deleteOfPark, forgetPersons } from './visits-data.ts'

const idsOf = (persons: readonly { id: string }[]): string[] => persons.map(({ id }) => id)

/** Return what the erasure of persons and parks asks of visits. */
export const createErasure = ({ db, storage }: Pick<Platform, 'db' | 'storage'>): Required<Pick<Context, 'holder' | 'erasePark'>> => ({
  holder: {
    place: 'visits',
    count: (scope, persons) => countHosted(scope, db, idsOf(persons)),
    forget: async (tx, scope, persons) => ({ count: await forgetPersons(scope, tx, idsOf(persons), true), fileIds: [] }),
  },
  async erasePark(tx, scope) {
    const machineEvents = await deleteMachineEventsOfPark(scope, tx)
    const visitorLinks = await deleteLinksOfPark(scope, tx)
    const documentFiles = await deleteDocumentsOfPark(scope, tx)
    const { fileIds, ...counts } = await deleteOfPark(scope, tx)
    await storage.release(tx, scope, [...fileIds, ...documentFiles])
    return { ...counts, machineEvents, visitorLinks, passes: await deletePassesOfPark(scope, tx) }
  },
})
