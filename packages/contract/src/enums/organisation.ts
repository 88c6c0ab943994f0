import { defineEnum } from './definition.ts'

export const organisationType = defineEnum('organisationType', { partner: 100, company: 200, park: 300 })

export const parkType = defineEnum('parkType', { factory: 1, hospital: 2, campus: 3 })

/** Labels of menus; any park type but 3 has those of a park. */
export const parkTypeTitle = defineEnum('parkTypeTitle', { academy: 3, park: 'other' })

export const domainShowType = defineEnum('domainShowType', { neutral: 'neutral', custom: 'custom' })

export const showCustomerManagerFlag = defineEnum('showCustomerManagerFlag', { on: 1, off: 0 })

/** 4 shows the notice and offers the file; 0 and 3 show nothing. */
export const expiredCustomersStatus = defineEnum('expiredCustomersStatus', { ok: 0, none: 3, hasFile: 4 })

export const logSource = defineEnum('logSource', { local: 'local', thirdParty: 'thirdParty' })
