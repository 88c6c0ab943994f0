/** The three languages as menu entries, each in its own script, the one shown ticked. */
import { CheckOutlined } from '@ant-design/icons'
import type { MenuProps } from 'antd'
import { LANGUAGES } from '@gatehouse/contract'
import { chooseLanguage, LANGUAGE_NAMES, useLanguage } from '../../i18n/index.ts'

export function useLanguageChoices(): NonNullable<MenuProps['items']> {
  const { language } = useLanguage()
  return LANGUAGES.map((key) => ({
    key,
    label: <span lang={key}>{LANGUAGE_NAMES[key]}</span>,
    extra: key === language ? <CheckOutlined /> : undefined,
    onClick: () => void chooseLanguage(key),
  }))
}
