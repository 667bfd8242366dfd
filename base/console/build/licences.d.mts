export declare function licencesOf(moduleIds: readonly string[], what?: string): string
