/** The texts of all features in this language, in one chunk, with the catalogues that only some of them show. */
import operations from '@gatehouse/contract/i18n/zh-CN/operations.json'
import permissions from '@gatehouse/contract/i18n/zh-CN/permissions.json'
import readyRoles from '@gatehouse/contract/i18n/zh-CN/readyRoles.json'
import type { Texts } from '../index.ts'

const files = import.meta.glob<Texts>(['./*.json', '!./account.json', '!./common.json', '!./shell.json'], {
  import: 'default',
  eager: true,
})
const namespaceOf = (file: string): string => file.slice('./'.length, -'.json'.length)

export default {
  operations,
  permissions,
  readyRoles,
  ...Object.fromEntries(Object.entries(files).map(([file, texts]) => [namespaceOf(file), texts])),
} as Record<string, Texts>
