/** Permissions in words: what a code is called and what it opens. */
import { useTranslation } from 'react-i18next'
import { languageOf, permissionKey } from '@gatehouse/contract'
import { isOpener } from './granting.ts'
import { entriesOf } from './opened.ts'

export interface PermissionWords {
  module: (module: string) => string
  code: (code: string) => string
  /** One short line: the pages it opens, or that it comes along by itself; empty where the name says all. */
  hint: (code: string) => string
}

export function usePermissionWords(): PermissionWords {
  const { t, i18n } = useTranslation('permissions')
  return {
    module: (module) => t(`module.${module}`, { defaultValue: module }),
    code: (code) => t(`code.${permissionKey(code)}`, { defaultValue: code }),
    hint: (code) => {
      if (isOpener(code)) return t('identity:permission.comesAlong')
      const names = entriesOf(code, languageOf(i18n.language)).map((key) => t(`shell:${key}`))
      return names.length === 0 ? '' : t('identity:permission.opens', { names: names.join(t('common:listSeparator')) })
    },
  }
}
