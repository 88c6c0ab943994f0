/**
 * The texts of this language that every page needs, and those of the login page, in one chunk; the features' own texts come with their
 * first page.
 */
import antd from 'antd/es/locale/zh_CN'
import enums from '@gatehouse/contract/i18n/zh-CN/enums.json'
import errors from '@gatehouse/contract/i18n/zh-CN/errors.json'
import validation from '@gatehouse/contract/i18n/zh-CN/validation.json'
import type { TextTree } from '../namespaces.ts'
import account from './account.json'
import common from './common.json'
import shell from './shell.json'

const titles = import.meta.glob<TextTree>('./titles/*.json', { import: 'default', eager: true })

export default { antd, texts: { account, common, enums, errors, shell, validation }, titles }
