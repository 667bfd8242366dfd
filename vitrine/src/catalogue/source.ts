// Where a route's answer comes from: the platform's endpoint, what is looked up first, what must agree, and the review.

/** A to-many relationship of one resource, which has no endpoint of its own: only its ids are read. */
export interface Relation {
  readonly name: string
  /** the type of the resource that has it */
  readonly of: string
  readonly cheapest: string
  /** linkages that the platform gives at most */
  readonly most: number
}

/** A list for all parents, narrowed to one by a filter that holds the id of the path. The parent is read first. */
export interface Owner {
  readonly filter: string
  readonly id: string
  readonly read: string
  readonly type: string
  readonly cheapest: string
}

/** The answer is the lists below all members of another list, one after the other, in the order of the members' ids. */
export interface Through {
  /** the platform's list of the members */
  readonly list: string
  readonly type: string
  readonly cheapest: string
  /** the name of a member's id in the endpoint that is read; a resource may show it, as an id of the path */
  readonly gives: string
}

export interface Source {
  /** the platform's endpoint */
  readonly read: string
  readonly relation?: Relation
  readonly owner?: Owner
  readonly through?: Through
  /** the id in parameter `child` must be in the linkage list `isIn` */
  readonly guard?: { readonly child: string; readonly isIn: string; readonly type: string }
  /** `{localizationId}` is the localization in this list with exactly the path's `{locale}` */
  readonly resolve?: { readonly locale: string; readonly type: string }
  /** linkage field or relationship of the parent: if the answer has it, it must equal this id of the path */
  readonly parent?: Readonly<Record<string, string>>
  /** `data: null` means 404 */
  readonly mayBeAbsent?: true
  /** not JSON:API: the body is the resource. Its id is the path parameter `id`, which the field at `named` must equal */
  readonly bare?: { readonly mediaType: string; readonly id: string; readonly named: readonly [string, string] }
}

/** the version of the platform's document, the day, and a hash of the operations in it (src/review/hash.ts) */
export interface Stamp {
  readonly version: string
  readonly date: string
  readonly hash?: string
}

/** A difference that `vitrine review` would report, and that is intended. */
export interface KnownDifference {
  readonly class: string
  readonly at: string
  readonly what: string
  readonly why: string
}
