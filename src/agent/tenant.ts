/** Ids of a tenant's runs: inside they carry `<tenant>/` in front, so that no two tenants' ids are the same. */

const TENANT = /^[A-Za-z0-9._-]{1,64}$/;
/** What the workflow ids of conversations without a tenant begin with. */
const RESERVED = 'conversation';

/** Whether a tenant may be called this: 1 to 64 of the characters A-Z a-z 0-9 . _ -. */
export function isTenantName(value: unknown): value is string {
  return typeof value === 'string' && TENANT.test(value) && value !== RESERVED;
}

/** The id as it is inside: a tenant's own one with the tenant in front. */
export function innerId(id: string, tenant: string | undefined): string {
  return tenant === undefined ? id : `${tenant}/${id}`;
}

/** The id as its tenant knows it; any other id stays as it is. */
export function ownId(id: string, tenant: string | undefined): string {
  return tenant !== undefined && id.startsWith(`${tenant}/`) ? id.slice(tenant.length + 1) : id;
}
