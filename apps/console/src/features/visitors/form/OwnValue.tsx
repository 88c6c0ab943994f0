/** The value of a custom field of a visit: a text, chosen words, or a picture. */
import { useTranslation } from 'react-i18next'
import { customFieldInputType } from '@gatehouse/contract/enums/visitors'
import { choicesOf, type VisitorField } from '@gatehouse/contract/visitors/configuration'
import styles from './form.module.css'

export function OwnValue({ field, value }: { field: VisitorField | undefined; value: string | undefined }) {
  const { t } = useTranslation()
  if (!value) return <>—</>
  if (field?.inputType === customFieldInputType.image) return <img className={styles.ownPicture} src={value} alt={field.displayName} />
  const words = field?.inputType === customFieldInputType.multiple ? choicesOf(value).join(t('listSeparator')) : value
  return (
    <span className={styles.ownText} title={words}>
      {words}
    </span>
  )
}
