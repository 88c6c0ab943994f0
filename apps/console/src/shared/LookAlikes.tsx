/** Asks about everybody whom a new photograph resembles: whether it is the same person, a twin, or chance. Its value is the answers. */
import { Alert, Button, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import { similarTo, type Likeness, type Likenesses } from './cachedFaces.ts'
import { Portrait } from '../kit/media/Portrait.tsx'
import styles from '../kit/media/photo.module.css'

interface LookAlikesProps {
  faceIds: readonly string[]
  /** Given by `<Form.Item>`. */
  value?: Likenesses
  onChange?: (likenesses: Likenesses) => void
  /** Opens the person instead, where it is the same one. Absent: not offered. */
  open?: ((personId: string) => void) | undefined
}

export function LookAlikes({ faceIds, value = {}, onChange, open }: LookAlikesProps) {
  const { t } = useTranslation()
  const persons = similarTo(faceIds)
  if (persons.length === 0) return null
  const options: { value: Likeness; label: string }[] = [
    { value: 'twin', label: t('photo.twin') },
    { value: 'other', label: t('photo.notThem') },
  ]
  return (
    <Alert
      className={styles.alike}
      type="warning"
      showIcon
      title={t('photo.alike', { count: persons.length })}
      description={
        <>
          <p>{t('photo.alikeAsk')}</p>
          <ul>
            {persons.map(({ personId, personName, workNumber, score, thumbnail }) => (
              <li key={personId}>
                <Portrait name={personName} url={thumbnail} size={72} />
                <span>
                  <b>{personName}</b>
                  <small>{workNumber}</small>
                  <output title={t('pair.score')}>{scoreInWords(score)}</output>
                </span>
                <span className={styles.alikeChoice} role="group" aria-label={t('photo.whoIs', { name: personName })}>
                  {open && <Button onClick={() => open(personId)}>{t('photo.same')}</Button>}
                  <Radio.Group
                    optionType="button"
                    buttonStyle="solid"
                    options={options}
                    value={value[personId]}
                    onChange={({ target }) => onChange?.({ ...value, [personId]: target.value as Likeness })}
                  />
                </span>
              </li>
            ))}
          </ul>
        </>
      }
    />
  )
}
