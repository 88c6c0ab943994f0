/** All texts of this language in one chunk: the console's by feature, the contract's catalogues, and antd's own. */
import antd from 'antd/locale/zh_TW'
import 'dayjs/locale/zh-tw'
import enums from '@gatehouse/contract/i18n/zh-TW/enums.json'
import errors from '@gatehouse/contract/i18n/zh-TW/errors.json'
import permissions from '@gatehouse/contract/i18n/zh-TW/permissions.json'
import validation from '@gatehouse/contract/i18n/zh-TW/validation.json'
import { namespacesOf } from '../namespaces.ts'

const own = namespacesOf(import.meta.glob<object>('./*.json', { eager: true, import: 'default' }))

export default { antd, texts: { ...own, enums, errors, permissions, validation } }
