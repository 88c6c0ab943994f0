/** The texts of all features in this language, in one chunk, with the catalogues that only some of them use. */
import aiBoxEvents from '@gatehouse/contract/i18n/en/aiBoxEvents.json'
import permissions from '@gatehouse/contract/i18n/en/permissions.json'
import readyRoles from '@gatehouse/contract/i18n/en/readyRoles.json'
import type { TextTree } from '../namespaces.ts'

/** Without the texts of the visitors' page, which is none of the console. */
const files = import.meta.glob<TextTree>(['./*.json', '!./account.json', '!./common.json', '!./shell.json', '!./visit.json'], {
  import: 'default',
  eager: true,
})
const operations = import.meta.glob<TextTree>('../../../../../packages/contract/src/i18n/en/operations/*.json', {
  import: 'default',
  eager: true,
})

export default { aiBoxEvents, permissions, readyRoles, files, operations }
