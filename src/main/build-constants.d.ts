/** Address of the page of all releases, put in place when a release is built; empty otherwise. */
declare const __UNDERSTUDY_RELEASES__: string;
