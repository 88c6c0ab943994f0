/** The name of a person on records. */
import { useTranslation } from 'react-i18next'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'

/** @returns the name, or that the person was erased: the pseudonym in its place is no name */
export function usePersonName(): (personId: string | null, name: string) => string {
  const { t } = useTranslation()
  return (personId, name) => (isPseudonym(personId) ? t('erasedPerson') : name)
}
