/** The lists of the page as its address keeps them: the strategy stands in the path, not among the filters. */
import { synchronisationCalls } from '@gatehouse/contract/access/synchronisation'

const { devices, persons } = synchronisationCalls
export const deviceList = { ...devices, query: devices.query.partial({ strategyId: true }) }
export const personList = { ...persons, query: persons.query.partial({ strategyId: true }) }

/** Addresses of everything that shows how far persons are. */
export const SYNC_ADDRESSES: ReadonlySet<string> = new Set(Object.values(synchronisationCalls).map(({ url }) => url))
