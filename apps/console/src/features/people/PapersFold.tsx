/** The papers of a person and their pictures, which are seldom needed, behind a heading. */
import { Form, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_MAX } from '@gatehouse/contract'
import { personCardType } from '@gatehouse/contract/enums/people'
import { ID_TYPES } from '@gatehouse/contract/people/person-fields'
import { PLAIN_FIELDS } from '@gatehouse/contract/people/plain-fields'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { Fold } from '../../kit/form/Fold.tsx'
import { DocumentField } from './DocumentField.tsx'
import { IdNumberField } from './IdNumberField.tsx'
import styles from './people.module.css'

/** @param idPhoto field of the photograph of the paper; null where it is required and placed before the fold */
export function PapersFold({ idPhoto }: { idPhoto: ReactNode | null }) {
  const { t } = useTranslation('people')
  const optionsOf = useEnumOptions()
  return (
    <Fold
      title={t('part.papers')}
      hint={t('part.papersHint')}
      names={['idType', 'idNumber', ...PLAIN_FIELDS, 'registrationPhoto', ...(idPhoto === null ? [] : ['idPhoto'])]}
    >
      <div className={styles.fields}>
        <Form.Item name="idType" label={t('idTypeLabel')}>
          <Select
            allowClear
            options={ID_TYPES.map((type) => ({ value: type, label: t(`idType.${type}`) }))}
            placeholder={t('chooseIdType')}
          />
        </Form.Item>
        <Form.Item name="idNumber" label={t('idNumber')}>
          <IdNumberField />
        </Form.Item>
        <div>
          {PLAIN_FIELDS.map((field) => (
            <Form.Item key={field} name={field} label={t(`audit:field.${field}`)}>
              <Input maxLength={TEXT_MAX} autoComplete="off" />
            </Form.Item>
          ))}
          <Form.Item name="cardType" label={t('cardType')}>
            <Select options={optionsOf(personCardType)} />
          </Form.Item>
        </div>
        <div className={styles.pictures}>
          {idPhoto}
          <Form.Item name="registrationPhoto" label={t('registrationPhoto')}>
            <DocumentField name={t('registrationPhoto')} />
          </Form.Item>
        </div>
      </div>
    </Fold>
  )
}
