/** The values of one enum with their words in each language; own words are marked. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '@gatehouse/contract'
import { LANGUAGE_NAMES } from '../../../i18n/index.ts'
import { shownWord, type EnumWords, type Value } from './words.ts'
import styles from './dictionary.module.css'

export function WordTable({ of, edit, reset }: { of: EnumWords; edit: (value: Value) => void; reset: (value: Value) => void }) {
  const { t } = useTranslation('system')
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" data-narrow>
            {t('dictionary.value')}
          </th>
          {LANGUAGES.map((language) => (
            <th key={language} scope="col">
              {LANGUAGE_NAMES[language]}
            </th>
          ))}
          <th scope="col" data-actions>
            <span className="unseen">{t('common:list.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {of.values.map((value) => (
          <tr key={value.value}>
            <th scope="row">
              <code>{value.value}</code>
            </th>
            {value.words.map((word) => (
              <td key={word.language} lang={word.language} data-own={word.own !== undefined || undefined}>
                <span>{shownWord(word)}</span>
                {word.own !== undefined && <small>{t('dictionary.insteadOf', { word: word.builtIn })}</small>}
              </td>
            ))}
            <td>
              <Button type="link" size="small" aria-label={t('dictionary.editOf', { value: value.value })} onClick={() => edit(value)}>
                {t('dictionary.edit')}
              </Button>
              {value.words.some(({ own }) => own !== undefined) && (
                <Button type="link" size="small" aria-label={t('dictionary.resetOf', { value: value.value })} onClick={() => reset(value)}>
                  {t('dictionary.reset')}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
