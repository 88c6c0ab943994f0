/** What every page needs to speak this language, in one chunk; a feature's own texts come with its first page. */
import antd from 'antd/es/locale/zh_CN'
import enums from '@gatehouse/contract/i18n/zh-CN/enums.json'
import errors from '@gatehouse/contract/i18n/zh-CN/errors.json'
import validation from '@gatehouse/contract/i18n/zh-CN/validation.json'
import common from './common.json'
import shell from './shell.json'

export default { antd, texts: { common, enums, errors, shell, validation } }
